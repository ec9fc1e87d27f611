import { expect, test } from 'vitest'
import { caseStage, file, jpeg, pdf, png } from '../cases/case-stage.ts'
import type { Answer, Client } from '../client.ts'
import { damagedBytes, oneOf } from '../mutations/bytes.ts'
import { slippedJson } from '../mutations/json.ts'
import { startPortal } from '../portal.ts'
import { Random } from '../random.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { dayBack, machine, makeToken, report, settled } from '../sync/sync.ts'

/**
 * Documents of cases and messages of devices, broken by chance. A failure names the seed; `RANDOM_SEED` and `RANDOM_RUNS` make
 * others, and more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)
const portal = await startPortal()
await addPlaces(portal)
await addSchools(portal)
await portal.worker()

const isSentence = (text: unknown) => typeof text === 'string' && / .+\./s.test(text)
const isRefused = ({ status, body }: Answer) =>
  [400, 413, 415, 422].includes(status) &&
  [body.message, ...Object.values<string[]>(body.errors ?? {}).flat()].every(isSentence)

async function readable(person: Client, ...paths: string[]): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => person.get(path)))
  return answers.flatMap(({ status }, n) => (status === 200 ? [] : [`${paths[n]} answers ${status}`]))
}

test(
  'a person’s broken document of a case is refused with a sentence, or kept as what it is',
  async () => {
    const { reviewer, filer, form } = await caseStage(portal)
    const faults: string[] = []
    let kept = 0
    for (let n = 0; n < 24 * runs; n++) {
      const random = new Random(seed + n)
      const [name, good] = oneOf(random, [
        ['photo.jpg', jpeg],
        ['drawing.png', png(30, 20)],
        ['letter.pdf', pdf],
      ] as const)
      const { what, bytes } = damagedBytes(random, good)
      const sent = await filer.upload('/admin/cases', { ...form, file: file(name, bytes) })
      if (sent.status !== 200) {
        if (!isRefused(sent))
          faults.push(`${seed + n} ${name} ${what}: ${sent.status} ${JSON.stringify(sent.body)}`)
        continue
      }
      kept++
      const path = `/admin/cases/${sent.body.complain.id}/details`
      const [document] = (await reviewer.get(path)).body.complain.documents
      const fetched = await filer.get(document.download_url)
      const marks = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e47', 'application/pdf': '25504446' }
      const mark = marks[document.file_type as keyof typeof marks]
      if (fetched.status !== 200 || !mark || !fetched.bytes.toString('hex').startsWith(mark))
        faults.push(`${seed + n} ${name} ${what}: kept as ${document.file_type}, answers ${fetched.status}`)
    }
    const auditor = await portal.signedInAs('Auditor')
    faults.push(
      ...(await readable(auditor, '/admin/users/audit/logs')),
      ...(await readable(reviewer, '/admin/cases')),
    )
    expect(faults).toEqual([])
    expect(kept).toBeGreaterThan(0)
  },
  60_000 * runs,
)

const answers = {
  school_code: 'KIT-1',
  date: dayBack(0),
  classe: '7A',
  girls_present: '20',
  boys_present: '21',
  teachers_present: '5',
}
const bodies = (): object[] => [
  {
    messages: [
      report(),
      report({ class: '8A', learners: { present: 3 }, teachers: { enrolled: 4, present: 4 } }),
    ],
  },
  {
    ...{ contact: { uuid: 'c', urn: 'tel:+22376123456' }, flow: { uuid: 'f', name: 'Presence' } },
    results: Object.fromEntries(
      Object.entries(answers).map(([name, value]) => [name, { value, category: 'All' }]),
    ),
  },
  {
    _uuid: crypto.randomUUID(),
    _submission_time: `${dayBack(0)}T08:00:00`,
    end: `${dayBack(0)}T08:00:00Z`,
    ...answers,
  },
  {
    form: { ...answers, meta: { instanceID: crypto.randomUUID(), timeEnd: `${dayBack(0)}T08:00:00Z` } },
    received_on: '',
  },
]

test(
  'a device’s broken messages are refused one by one or all, and the log, the dashboard and the figures can be read',
  async () => {
    const send = machine(portal, await makeToken(portal))
    const faults: string[] = []
    for (let n = 0; n < 80 * runs; n++) {
      const random = new Random(seed + n)
      const { what, bytes } = slippedJson(random, oneOf(random, bodies()))
      const sent = await send(bytes.toString())
      type Rejected = { errors: Record<string, string[]> }
      const isGood =
        sent.status === 202
          ? sent.body.rejected.every(({ errors }: Rejected) => Object.values(errors).flat().every(isSentence))
          : isRefused(sent)
      if (!isGood)
        faults.push(
          `${seed + n} ${what} ${bytes.toString().slice(0, 300)}: ${sent.status} ${JSON.stringify(sent.body)}`,
        )
    }
    await settled(portal, 200_000)
    const person = await portal.signedIn('students.view', 'audit-logs.view', 'sync.manage')
    faults.push(
      ...(await readable(person, '/home/messages', '/home/dashboard/attendance', '/admin/users/audit/logs')),
    )
    const { rows: figures } = await portal.owner.query(
      'select count(*)::int as n from attendance where present > enrolled or present < 0 or enrolled > 10000 or not (date between current_date - 14 and current_date)',
    )
    const { rows: errors } = await portal.owner.query(
      'select error from synced_messages where error is not null limit 500',
    )
    for (const { error } of errors)
      if (!isSentence(error.en) || !isSentence(error.fr)) faults.push(JSON.stringify(error))
    expect([faults, figures]).toEqual([[], [{ n: 0 }]])
  },
  60_000 * runs,
)
