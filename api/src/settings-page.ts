import { secretSettings } from '@portal/registry/secret-files'
import { environment } from './kit/process/environment.ts'
import { type RegistrySetting, settingGroups, settingWords } from './setting-words.ts'

type Name = keyof typeof settingWords
type Group = keyof typeof settingGroups

/** What a schema says of its values: the sentence that a wrong one is refused with. */
type Shape = { message?: unknown; wrapped?: Shape; pipe?: readonly Shape[]; default?: unknown }

/** The names of all settings, and with `_FILE` those that may be files. */
export function settingNames(): string[] {
  return [...Object.keys(settingWords), ...secretSettings.map((name) => `${name}_FILE`)]
}

/** Which settings are secrets. */
export const isSecret = (name: string): boolean => (secretSettings as readonly string[]).includes(name)

/** docs/settings.md, from the schema of the settings and their words. */
export function settingsPage(): string {
  const lines = [
    '# Settings',
    'Settings are environment variables, read once at the start. This page is made from their schema by `npm run settings:docs`. A wrong value',
    'stops the process with a sentence that names the setting. An empty value is as good as none.',
    '',
    'A **secret** may be given as a file instead: `PORTAL_SECRET_FILE=/etc/portal/secret` names it ([secrets.md](secrets.md)). Who reads what: the **api**',
    'and the **worker** are processes; **prepare** migrates the database before them; **commands** are those of `npm run` that operators call; the',
    '**registry** publishes modules (`npm run registry -- release`).',
  ]
  for (const group of Object.keys(settingGroups) as Group[]) {
    lines.push(
      '',
      `## ${settingGroups[group]}`,
      '| setting | what it is | default | values | for |',
      '|---|---|---|---|---|',
    )
    for (const name of (Object.keys(settingWords) as Name[]).filter(
      (each) => settingWords[each].group === group,
    ))
      lines.push(lineOf(name))
  }
  return `${lines.join('\n')}\n`
}

function lineOf(name: Name): string {
  const words = settingWords[name]
  const shape = shapeOf(name)
  const preset = shape?.default === undefined || shape.default === '' ? '' : `\`${shape.default}\``
  const what = isSecret(name) ? `${words.what}. **Secret**` : words.what
  return `| \`${name}\` | ${what} | ${preset} | ${valuesOf(shape)} | ${words.for.join(', ')} |`
}

const shapeOf = (name: Name): Shape | undefined =>
  (environment.entries as Record<Exclude<Name, RegistrySetting> | string, Shape | undefined>)[name]

/** The last of the sentences of a schema, because the first one is about its type. */
function valuesOf(shape: Shape | undefined): string {
  const inner = shape?.wrapped ?? shape
  const sentences = (inner?.pipe ?? [inner])
    .map((part) => part?.message)
    .filter((text) => typeof text === 'string')
  return (sentences.at(-1) ?? '').replace(/^is /, '')
}
