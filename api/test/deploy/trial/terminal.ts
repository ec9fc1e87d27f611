import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../portal.ts'

/** What the operator types when a command asks. */
export type Reply = [asked: RegExp, typed: string]

const ending = /=== ended: (.*?) ===/s

/**
 * A terminal of root on the machine, in which a person types one block of commands after the other: what a block leaves
 * (folder, umask, variables) is there for the next one.
 */
export function openTerminal(root: string, enter: string[], env: Record<string, string>) {
  const words = [...enter, 'env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const shell = [...words, 'bash', '--noprofile', '--norc', '--noediting', '-i'].map((word) => `'${word}'`)
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', shell.join(' '), '/dev/null'])
  let text = ''
  let hasEnded = false
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (text += String(chunk).replaceAll('\r', '')))
  child.once('exit', () => (hasEnded = true))
  const type = (line: string) => child.stdin.write(`${line}\n`)
  // Without echo and prompts the text is what commands say.
  type(`stty -echo cols 200; PS1= PS2=; cd; trap 'failed="$failed $BASH_COMMAND;"' ERR`)

  /** Types the commands, and returns what they said. Throws if one of them failed, with its words. */
  async function run(commands: string, { ms = 60_000, reply }: { ms?: number; reply?: Reply } = {}) {
    writeFileSync(join(root, 'root/typed'), `${commands}\n`)
    const from = text.length
    type('failed=; . /root/typed; echo "=== ended: $failed ==="')
    let isAnswered = false
    const ended = await until(async () => {
      const said = text.slice(from)
      if (reply && !isAnswered && reply[0].test(said)) {
        isAnswered = true
        type(reply[1])
      }
      if (hasEnded) throw new Error('The terminal has ended.')
      return ending.exec(said)
    }, ms).catch((error) => {
      throw new Error(`${error}\nAfter\n${commands}\nthe terminal said\n${text.slice(from).slice(-6000)}`)
    })
    const said = text.slice(from, from + ended.index)
    if (ended[1]) throw new Error(`“${ended[1]}” failed:\n${said.slice(-6000)}`)
    return said
  }
  return { run, close: () => child.kill('SIGKILL') }
}
