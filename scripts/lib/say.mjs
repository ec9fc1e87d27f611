/** A fault with one sentence for the person at the terminal; no stack is shown for it. */
export class Sentence extends Error {
  /** @param {string} sentence */
  constructor(sentence) {
    super(sentence)
    this.sentence = sentence
  }
}

/** One line on the terminal. @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/**
 * Runs `work` and ends the process with the exit code it answers; a Sentence is one plain line and exit code 1.
 * Ends it for good: a channel to the process that launched us, or an idle connection, would keep the terminal waiting.
 * @param {() => Promise<number | undefined | void>} work
 */
export async function main(work) {
  try {
    process.exit((await work()) ?? 0)
  } catch (error) {
    const text = error instanceof Sentence ? error.sentence : error instanceof Error ? error.stack : error
    process.stderr.write(`${text}\n`)
    process.exit(1)
  }
}
