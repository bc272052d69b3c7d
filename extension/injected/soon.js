// The page's next turn, when what happens now is over: behind an input Chrome holds back timers, messages and posted tasks
// for up to 50 ms where no frame is drawn, but not what wakes a script that waits for shared memory.

/* global tandemPage */
tandemPage.part('soon', () => {
  /** @type {Int32Array|undefined} */
  let word;

  tandemPage.soon = {
    /** @returns {Promise<void>} */
    async turn() {
      // Pages get shared memory of scripts only where they ask for isolation, of WebAssembly everywhere.
      word ??= new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
      const { value } = Atomics.waitAsync(word, 0, 0);
      Atomics.notify(word, 0);
      await value;
    },
  };
});
