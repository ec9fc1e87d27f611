import { lettersTo } from '../access/accounts-outbox.ts'
import type { Client } from '../client.ts'
import { type Portal, until } from '../portal.ts'

type Person = Client & { user: { id: number; email: string } }

/** What the bell shows a person, newest first. */
export async function bellOf(person: Person): Promise<{ text: string; link: string | null }[]> {
  return (await person.get('/notifications?per_page=100')).body.notifications.data
}

/** The lines of the bell that lead to a page, newest first. */
export const linesAt = async (person: Person, link: string): Promise<string[]> =>
  (await bellOf(person)).filter((line) => line.link === link).map(({ text }) => text)

/** How many lines of the bell of each person contain a text. */
export const linesWith = (text: string, people: readonly Person[]): Promise<number[]> =>
  Promise.all(
    people.map(async (person) => (await bellOf(person)).filter((line) => line.text.includes(text)).length),
  )

/** The subjects of all mails that were queued for a person, oldest first, sent or not. */
export async function mailsTo(portal: Portal, person: Person): Promise<string[]> {
  const { rows } = await portal.owner.query('select subject from mails where recipient = $1 order by id', [
    person.user.email,
  ])
  return rows.map(({ subject }) => subject)
}

/** Waits for a mail with a text in the outbox of a person, and returns it. The worker must run. */
export const letterWith = (portal: Portal, person: Person, text: string): Promise<string> =>
  until(async () => lettersTo(portal, person.user.email).find((letter) => letter.includes(text)), 25_000)

/** Chooses how notices reach a person. */
export async function prefer(person: Person, preferences: object) {
  const answer = await person.put('/notifications/preferences', preferences)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer
}
