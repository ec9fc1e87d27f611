import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Client } from './client.ts'
import { type Portal, until } from './portal.ts'

export const file = (name: string, content: Buffer, type = 'application/octet-stream') =>
  new File([new Uint8Array(content)], name, { type })
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}
/** A PNG that claims a number of pixels and contains private text, which must be removed. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const mark = Buffer.from('89504e470d0a1a0a', 'hex')
  const text = chunk('tEXt', Buffer.from('Author\0Fatoumata Keita'))
  return Buffer.concat([
    mark,
    chunk('IHDR', head),
    text,
    chunk('IDAT', deflateSync(Buffer.alloc(4))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A JPEG with an Exif block that has a place and an orientation. */
export function jpeg(): Buffer {
  const part = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const tiff = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex')
  const exif = part(
    0xe1,
    Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('GPS 12.6392 N 8.0029 W')]),
  )
  const frame = part(0xc0, Buffer.from([8, 0, 16, 0, 16, 1, 1, 0x11, 0]))
  const scan = Buffer.concat([
    part(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0x34, 0xff, 0xd9]),
  ])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    exif,
    part(0xfe, Buffer.from('taken by Fatoumata')),
    frame,
    scan,
  ])
}

type Signed = Awaited<ReturnType<Portal['signedIn']>>
/** Makes a partner's reviewer, a filer, and the ids that the form needs. */
export async function caseStage(portal: Portal) {
  await portal.owner.query(
    `insert into reference_values (list, code, en, fr) values ('case_type', 'payment', 'Payment', 'Paiement'),
      ('case_channel', 'phone', 'Phone', 'Téléphone'), ('case_tag', 'urgent', 'Urgent', 'Urgent') on conflict do nothing`,
  )
  const reviewer = await portal.signedInAs('Case Reviewer')
  await portal.owner.query(
    `insert into partners (name, user_id, partner_type, partner_since) values ('Sahel Aid', $1, 'ngo', '2020-01-01')`,
    [reviewer.user.id],
  )
  const filer = await portal.signedIn('cases.create')
  const lists = (await filer.get('/admin/cases')).body
  const form = {
    title: 'Payment not received',
    description: 'The guardian got nothing in October.',
    type: lists.complainTypes[0].id as number,
    channel: lists.complainChannels[0].id as number,
    reviewer: reviewer.user.id,
    priority: 'high_1_day',
  }
  const fileCase = async (
    by: Signed = filer,
    fields: Record<string, string | number | File | string[]> = {},
  ) => {
    const answer = await by.upload('/admin/cases', { ...form, ...fields })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return answer.body.complain as { id: number; number: string }
  }
  return { reviewer, filer, form, tag: lists.complainTags[0].id as number, fileCase }
}

export const expert = {
  comment: 'Is this number still in use?',
  salutation: 'dr',
  first_name: 'Ibrahima',
  last_name: 'Ndiaye',
  email: 'ibra@test.example',
  profession: 'Telecom engineer',
}

/** The consultant's link, read from the mail. The worker must run. */
export function inviteOf(portal: Portal, subject: string): Promise<string> {
  const folder = join(portal.settings.dataDir, 'outbox')
  return until(async () => {
    const letters = readdirSync(folder, { withFileTypes: true }).filter((entry) =>
      entry.name.endsWith('.eml'),
    )
    for (const { name } of letters) {
      const letter = readFileSync(join(folder, name), 'utf8')
      const encoded = /Subject: =\?utf-8\?B\?(.*)\?=/.exec(letter)?.[1] ?? ''
      const found = /\/external\/cases\/([\w-]+)/.exec(letter)
      if (found && Buffer.from(encoded, 'base64').toString().includes(subject)) return found[1]
    }
    return undefined
  })
}

/** The two calls of the consultant's page, with the invite in the path like in the browser. */
export const asConsultant = (client: Client, invite: string) => ({
  read: () => client.get(`/external/cases/${invite}`),
  answer: (fields: Record<string, string | File>) =>
    client.upload('/external/cases/resolve', fields, { 'x-invite': invite }),
  send: (fields: Record<string, string | File>) =>
    client.upload('/external/cases/file', fields, { 'x-invite': invite }),
  document: (id: number) => client.get(`/storage/documents/${id}`, { 'x-invite': invite }),
})
