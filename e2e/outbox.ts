import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { place } from './stage/place.ts'

const outbox = join(place.folder ?? '', 'outbox')

/** The first letter makes the folder. */
const lettersTo = (email: string) =>
  (existsSync(outbox) ? readdirSync(outbox) : [])
    // A letter that is still being written has a dot before its name.
    .filter((file) => file.endsWith('.eml') && !file.startsWith('.'))
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
    .filter((letter) => letter.includes(`\nTo: ${email}\n`) || letter.includes(`\nTo: ${email}\r\n`))

/**
 * Where the newest letter with such a link leads, once there are this many to an address: to a new password, or as
 * `leads` says. Letters about other things are not counted.
 */
export async function linkTo(
  email: string,
  letters = 1,
  leads = /https?:\/\/\S+\/password\/reset\/\S+/,
): Promise<string> {
  const found = () => lettersTo(email).flatMap((letter) => leads.exec(letter)?.[0] ?? [])
  await expect
    .poll(() => found().length, { message: `letters to ${email}`, timeout: 60_000 })
    .toBeGreaterThanOrEqual(letters)
  return new URL(found().at(-1) ?? '').pathname
}
