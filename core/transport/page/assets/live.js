// SPDX-License-Identifier: Apache-2.0
// Asks again from time to time: not while the page is paused or hidden, and less often while the daemon does not answer.

const longest = 60_000;

export class Live {
  #timer = 0;
  #wait = 0;
  #running = null;
  #paused = false;
  #task = null;
  #interval = 0;

  constructor(onFailure, onAnswer) {
    this.onFailure = onFailure;
    this.onAnswer = onAnswer;
    document.addEventListener("visibilitychange", () => this.#consider());
  }

  get paused() {
    return this.#paused;
  }

  // Runs task(signal) at once, then every `interval` milliseconds. 0: once.
  start(task, interval) {
    this.stop();
    this.#task = task;
    this.#interval = interval;
    return this.now();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = null;
    this.#task = null;
    this.#wait = 0;
  }

  pause(paused) {
    this.#paused = paused;
    if (paused) clearTimeout(this.#timer);
    else this.#consider();
  }

  // Asks now, whatever the pause says.
  async now() {
    clearTimeout(this.#timer);
    const task = this.#task;
    if (!task) return;
    this.#running?.abort();
    const run = new AbortController();
    this.#running = run;
    try {
      await task(run.signal);
      if (this.#running !== run) return;
      this.#wait = this.#interval;
      this.onAnswer();
    } catch (error) {
      if (error.name === "AbortError" || this.#running !== run) return;
      const refused = error.kind === "token" || error.kind === "role"; // another question would be refused as well
      this.#wait = refused ? 0 : Math.min(longest, Math.max(2000, this.#wait * 2, (error.wait ?? 0) * 1000));
      this.onFailure(error);
    }
    this.#running = null;
    this.#plan();
  }

  #plan() {
    clearTimeout(this.#timer);
    if (this.#paused || document.hidden || !this.#task || !this.#wait) return;
    this.#timer = setTimeout(() => this.now(), this.#wait);
  }

  #consider() {
    if (document.hidden) clearTimeout(this.#timer);
    else if (!this.#paused && !this.#running && this.#task && this.#wait) this.now();
  }
}
