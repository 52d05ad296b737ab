// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/test_certificate.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <memory>

namespace gantry::testing {

namespace {

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* thing) const { release(thing); }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509, X509_free>>;

void add_extension(X509* certificate, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  ASSERT_NE(extension, nullptr);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Certificate sign(EVP_PKEY* key, int days) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -86'400L * 30);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86'400L * days + 60);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  const std::string common_name = "gantry test";
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(common_name.data()),
                             static_cast<int>(common_name.size()), -1, 0);
  X509_set_issuer_name(certificate.get(), subject);
  add_extension(certificate.get(), NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  // Without these two the Python of newer releases trusts no authority.
  add_extension(certificate.get(), NID_key_usage, "critical,digitalSignature,keyCertSign");
  add_extension(certificate.get(), NID_subject_key_identifier, "hash");
  EXPECT_GT(X509_sign(certificate.get(), key, EVP_sha256()), 0);
  return certificate;
}

}  // namespace

TestCertificate make_certificate(const std::string& directory, int days, const std::string& name) {
  const TestCertificate files{directory + "/" + name + ".pem", directory + "/" + name + ".key"};
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate = sign(key.get(), days);
  std::FILE* chain = std::fopen(files.chain.c_str(), "w");
  EXPECT_EQ(PEM_write_X509(chain, certificate.get()), 1);
  std::fclose(chain);
  std::FILE* secret = std::fopen(files.key.c_str(), "w");
  EXPECT_EQ(PEM_write_PrivateKey(secret, key.get(), nullptr, nullptr, 0, nullptr, nullptr), 1);
  std::fclose(secret);
  chmod(files.key.c_str(), 0600);
  return files;
}

}  // namespace gantry::testing
