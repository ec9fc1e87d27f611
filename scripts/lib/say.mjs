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
 * Runs `work` and turns a Sentence into one plain line and exit code 1.
 * @param {() => Promise<number | undefined>} work answers the exit code
 */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    process.stderr.write(
      `${error instanceof Sentence ? error.sentence : error instanceof Error ? error.stack : error}\n`,
    )
    process.exitCode = 1
  }
}
