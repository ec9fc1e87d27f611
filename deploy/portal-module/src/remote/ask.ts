import { createInterface } from 'node:readline/promises'
import { Refusal } from '../refusal.ts'
import type { Given } from '../settings.ts'

/** What the portal needs to know about a remote besides its manifest. */
export type Answers = Record<(typeof questions)[number]['flag'], string>

const questions = [
  { flag: 'name', ask: 'Name of the module (mfe-something)', form: /^mfe-[a-z][a-z0-9-]*$/ },
  { flag: 'address', ask: 'Address in the portal (/admin/something)', form: /^\/[a-z][a-z0-9/-]*[a-z0-9]$/ },
  { flag: 'title-en', ask: 'Title in English', form: /\S/ },
  { flag: 'title-fr', ask: 'Title in French', form: /\S/ },
  { flag: 'permission', ask: 'Permission that opens it (such as users.view)', form: /^[a-z-]+\.[a-z-]+$/ },
  { flag: 'owner', ask: 'Team that owns it', form: /\S/ },
  { flag: 'contact', ask: 'Where the team is reached', form: /\S/ },
  { flag: 'release', ask: 'Version (1.0.0)', form: /^\d+\.\d+\.\d+$/ },
  { flag: 'expose', ask: 'Which of its exposes is the page', form: /^\.\/\S+$/ },
] as const

/** Takes each answer from the flags or from what is known, and asks for the rest at a terminal. */
export async function collectAnswers(
  values: Given['values'],
  known: Partial<Answers>,
  terminal: boolean = process.stdin.isTTY,
): Promise<Answers> {
  const given = questions.map(({ flag }) => [flag, values[flag] ?? known[flag]])
  const answers: Partial<Answers> = Object.fromEntries(given.filter(([, answer]) => answer !== undefined))
  const open = questions.filter(({ flag }) => answers[flag] === undefined)
  if (open.length && !terminal)
    throw new Refusal(`Say ${open.map(({ flag, ask }) => `--${flag} (${ask})`).join(', ')}.`)
  const lines = open.length ? createInterface({ input: process.stdin, output: process.stdout }) : null
  for (const { flag, ask } of open) answers[flag] = (await lines?.question(`${ask}: `))?.trim() ?? ''
  lines?.close()
  for (const { flag, ask, form } of questions)
    if (!form.test(answers[flag] ?? '')) throw new Refusal(`--${flag} ${answers[flag]}: ${ask}.`)
  return answers as Answers
}
