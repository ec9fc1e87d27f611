import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { place } from './stage/place.ts'

const outbox = join(place.folder ?? '', 'outbox')

/** The first letter makes the folder. */
const lettersTo = (email: string) =>
  (existsSync(outbox) ? readdirSync(outbox) : [])
    .filter((file) => file.endsWith('.eml'))
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8'))
    .filter((letter) => letter.includes(`\nTo: ${email}\n`) || letter.includes(`\nTo: ${email}\r\n`))

/** Where the newest letter to an address leads, once there are this many: to a new password, or as `leads` says. */
export async function linkTo(
  email: string,
  letters = 1,
  leads = /https?:\/\/\S+\/password\/reset\/\S+/,
): Promise<string> {
  await expect
    .poll(() => lettersTo(email).length, { message: `letters to ${email}` })
    .toBeGreaterThanOrEqual(letters)
  const link = leads.exec(lettersTo(email).at(-1) ?? '')?.[0]
  if (!link) throw new Error(`The letter to ${email} has no link.`)
  return new URL(link).pathname
}
