/** An error with one sentence for the person at the terminal. It is printed without a stack. */
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
 * Runs `work` and exits with the code that it returns. A Sentence becomes one line and exit code 1. The exit is explicit,
 * because an open ipc channel or an idle connection would keep the process running.
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
