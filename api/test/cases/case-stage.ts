import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { letters } from '../access/accounts-outbox.ts'
import type { Client } from '../client.ts'
import { type Portal, until } from '../portal.ts'

export const file = (name: string, content: Buffer, type = 'application/octet-stream') =>
  new File([new Uint8Array(content)], name, { type })
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

const chunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
/** A PNG that claims a number of pixels, has at most a hundred lines, and contains private text. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from('Author\0Fatoumata Keita')),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * Math.min(height, 100)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A photo of 40 × 20 pixels, taken with the camera on its side, with its place and author. */
export const jpeg: Buffer = await sharp(Buffer.alloc(40 * 20 * 3, 128), {
  raw: { width: 40, height: 20, channels: 3 },
})
  .jpeg()
  .withMetadata({ orientation: 6 })
  .withExifMerge({
    IFD0: { Artist: 'Fatoumata Keita', ImageDescription: 'GPS 12.6392 N 8.0029 W' },
  })
  .toBuffer()

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
  return until(async () => {
    for (const letter of letters(portal)) {
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
