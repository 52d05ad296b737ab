# The files below assets/ as a C++ table, with the headers that each is answered with. A page that may load nothing but
# its own files, and may not make markup of text, cannot be talked into more by a host's name.
set(GANTRY_PAGE_POLICY "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'")
string(APPEND GANTRY_PAGE_POLICY "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
string(APPEND GANTRY_PAGE_POLICY "; require-trusted-types-for 'script'; trusted-types 'none'")

set(type_.html "text/html; charset=utf-8")
set(type_.css "text/css; charset=utf-8")
set(type_.js "text/javascript; charset=utf-8")
set(type_.svg "image/svg+xml")

function(gantry_embed_page folder output)
  file(GLOB assets CONFIGURE_DEPENDS ${folder}/assets/*)
  list(SORT assets)
  list(LENGTH assets GANTRY_PAGE_COUNT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${assets})
  set(GANTRY_PAGE_FILES "")
  foreach(asset ${assets})
    cmake_path(GET asset FILENAME name)
    cmake_path(GET asset EXTENSION LAST_ONLY extension)
    if(NOT DEFINED type_${extension})
      message(FATAL_ERROR "${asset}: a page file ends in .html, .css, .js or .svg")
    endif()
    file(READ ${asset} content)
    file(SHA256 ${asset} digest)
    string(SUBSTRING ${digest} 0 32 digest)
    string(APPEND GANTRY_PAGE_FILES "    {\"${name}\", \"${type_${extension}}\", R\"page(${content})page\", R\"(\"${digest}\")\",\n"
      "     \"ETag: \\\"${digest}\\\"\\r\\nCache-Control: no-cache\\r\\nX-Content-Type-Options: nosniff\\r\\nReferrer-Policy: no-referrer\\r\\n\"\n"
      "     \"Cross-Origin-Opener-Policy: same-origin\\r\\nCross-Origin-Resource-Policy: same-origin\\r\\n\"\n"
      "     \"Content-Security-Policy: ${GANTRY_PAGE_POLICY}\\r\\n\"},\n")
  endforeach()
  configure_file(${folder}/page_files.cpp.in ${output} @ONLY)
endfunction()
