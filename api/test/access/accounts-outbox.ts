import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Portal, until } from '../portal.ts'

const tokenIn = /\/password\/reset\/([\w-]{43})$/m

/** The mails in the outbox, oldest first, with `\n` at the end of each line. */
export function letters(portal: Portal): string[] {
  const folder = join(portal.settings.dataDir, 'outbox')
  // Whoever writes the first letter makes the folder.
  if (!existsSync(folder)) return []
  return (
    readdirSync(folder)
      // A letter that is still being written has a dot before its name, and loses it at any moment.
      .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'))
  )
}

/** The mails to a person in the outbox, oldest first. */
export const lettersTo = (portal: Portal, email: string): string[] =>
  letters(portal).filter((letter) => letter.includes(`To: ${email}\n`))

/** Waits for the nth mail to a person and returns the token of its link. */
export async function tokenTo(portal: Portal, email: string, nth = 1): Promise<string> {
  const letter = await until(async () => lettersTo(portal, email)[nth - 1])
  const token = tokenIn.exec(letter)?.[1]
  if (!token) throw new Error(`No link stands whole in the letter:\n${letter}`)
  return token
}
