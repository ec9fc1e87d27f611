import { readFileSync } from 'node:fs'

type Env = Record<string, string | undefined>

/** The settings that are secrets. Each may be given as a file, whose path is in the setting with `_FILE` after its name. */
export const secretSettings = [
  'PORTAL_SECRET',
  'PORTAL_SECRET_NEXT',
  'PORTAL_SECRET_FORMER',
  'PORTAL_RELEASE_KEY',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'S3_KEY',
  'S3_SECRET',
  'SMTP_URL',
  'ANALYTICS_SECRET',
] as const

/**
 * Returns the environment with the content of these files under the settings' own names. A line end at the end of a file is
 * no part of the secret. Throws a sentence if a file cannot be read, is empty, or if the setting is also given itself.
 */
export function readSecretFiles(env: Env): Env {
  const read: Env = { ...env }
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new Error(`${name} and ${name}_FILE are both set: set one of them.`)
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Error(
        `${name}_FILE is ${file}, which cannot be read (${code}): name a file that this account may read.`,
      )
    }
    read[name] = text.replace(/\r?\n$/, '')
    if (!read[name]) throw new Error(`${name}_FILE is ${file}, which is empty: write the secret into it.`)
  }
  return read
}
