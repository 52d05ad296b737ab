// SPDX-License-Identifier: Apache-2.0
// Notices that nobody answers, whatever the view shows and however seldom it asks, and says how old the numbers are.
import { knock, silence } from "./api.js";
import { speak } from "./dom.js";

const most = 4; // seconds that a question may wait, and that nothing is asked

export class Silence {
  #silent = false;
  #failing = false;

  // `rests` tells whether nothing is to be asked. `onAnswer` is called once there is an answer again.
  constructor(rests, onAnswer) {
    this.rests = rests;
    this.onAnswer = onAnswer;
    setInterval(() => this.#look(), 1000);
  }

  #look() {
    if (document.hidden || this.rests()) return this.#show(false);
    if (silence.waiting() === 0 && silence.seconds() > most) {
      knock().then(
        () => (this.#failing = false),
        () => (this.#failing = true),
      );
    }
    if (silence.seconds() < most) this.#failing = false;
    this.#show(this.#failing || silence.waiting() > most);
  }

  #show(silent) {
    const place = document.getElementById("silence");
    place.hidden = !silent;
    document.body.classList.toggle("silent", silent);
    const age = `${Math.round(silence.seconds())} s`;
    if (silent) place.textContent = `No answer for ${age}. What stands below is ${age} old.`;
    if (silent && !this.#silent) speak(`No answer for ${age}.`);
    if (!silent && this.#silent && !this.rests()) this.onAnswer();
    this.#silent = silent;
  }
}
