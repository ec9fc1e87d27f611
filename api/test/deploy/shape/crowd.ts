import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hashPassword } from '../../../src/access/passwords.ts'
import { password } from '../../portal.ts'
import { Person, type Seen } from './person.ts'

type Place = { url: string; certificate: string; address?: string | undefined }

/** Makes an account with a shipped role. */
export async function addAccount(owner: pg.Client, role: string): Promise<string> {
  const email = `${role.toLowerCase().replaceAll(' ', '.')}@shape.example`
  await owner.query(
    `with u as (insert into users (first_name, last_name, email, type, account, password_hash)
       values ('Awa', 'Diarra', $1, 'developer', true, $2) returning id)
     insert into user_roles (user_id, role_id) select u.id, r.id from u, roles r where r.name = $3`,
    [email, await hashPassword(password, { memory: 64, time: 1 }), role],
  )
  return email
}

/** People at work until they are told to stop: they read lists, follow a round, and change their own names. */
export class Crowd {
  readonly seen: Seen = new Map()
  /** What was not as it has to be, besides failures of calls. */
  readonly faults: string[] = []
  /** When the last answered call of the one who only looks had begun. */
  #answered = 0
  edits = 0
  /** Calls of those who look and edit. */
  calls = 0
  readonly #people: Person[] = []
  readonly #place: Place
  #works = true
  readonly #work: Promise<void>[] = []

  constructor(place: Place) {
    this.#place = place
  }

  async person(email: string): Promise<Person> {
    const { url, certificate, address } = this.#place
    const person = new Person(url, certificate, this.seen, address)
    this.#people.push(person)
    return person.signIn(email, password)
  }

  /** Reads these paths in turn, `perSecond` times, and never repeats a call. */
  look(person: Person, paths: readonly string[], perSecond: number) {
    let n = 0
    this.#go(1000 / perSecond, async () => {
      const began = performance.now()
      const path = paths[n++ % paths.length] ?? ''
      const { status } = await person.once('GET', path)
      if (status === 200) this.#answered = Math.max(this.#answered, began)
      else if (status > 0 && status < 500) this.faults.push(`GET ${path} ${status}`)
    })
  }

  /** Changes her own name again and again, and reads each time what was stored. */
  async edit(person: Person, everyMs: number) {
    this.#go(everyMs, async () => {
      const name = `Awa ${++this.edits}`
      const { body } = await person.read('/users/profile/details')
      const stored = async () => (await person.read('/users/profile/details')).body.user.first_name === name
      const { id, last_name, version } = body.user
      const edit = { first_name: name, last_name, version }
      const heard = await person.change('PUT', `/users/profile/update/${id}`, edit, stored)
      if (heard && heard.status !== 200) this.faults.push(`PUT ${heard.status} ${heard.text}`)
      if (!(await stored())) this.faults.push(`${name} was answered as stored, and is not`)
    })
  }

  /** Milliseconds from `since` to the next call that was answered. */
  async nextAnswer(since: number, ms = 120_000): Promise<number> {
    while (this.#answered <= since) {
      if (performance.now() - since > ms) throw new Error('No call was answered any more.')
      await pause(10)
    }
    return this.#answered - since
  }

  async stop() {
    this.#works = false
    await Promise.all(this.#work)
    await Promise.all(this.#people.splice(0).map((person) => person.close()))
  }

  #go(everyMs: number, one: () => Promise<void>) {
    const again = async () => {
      while (this.#works) {
        const next = performance.now() + everyMs
        await one()
        this.calls += 1
        await pause(Math.max(0, next - performance.now()))
      }
    }
    this.#work.push(again().catch((error) => void this.faults.push(String(error))))
  }
}
