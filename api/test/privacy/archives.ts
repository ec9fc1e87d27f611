import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readZipDirectory } from '@portal/excel/zip'
import { fileSource, unpack } from '../../src/excel/zip.ts'
import type { Client } from '../client.ts'
import { type Portal, until } from '../portal.ts'

/** The files of an archive, by name. */
export async function unzipped({ settings }: Portal, bytes: Buffer): Promise<Record<string, Buffer>> {
  const path = join(settings.dataDir, 'person.zip')
  await writeFile(path, bytes)
  const file = await open(path, 'r')
  try {
    const source = await fileSource(file)
    const files: Record<string, Buffer> = {}
    for (const entry of await readZipDirectory(source))
      files[entry.name] = await buffer(unpack(source, entry))
    return files
  } finally {
    await file.close()
  }
}

/** Exports a person from her page, and waits for the archive. The worker must run. */
export async function archive(portal: Portal, by: Client, person: string, cases: string[] = []) {
  const asked = await by.post(`/admin/people/${person}/export`, { reason: 'She asked', cases })
  if (asked.status !== 202) throw new Error(JSON.stringify(asked.body))
  const address = `/storage/exports/${asked.body.file_name}`
  const { bytes } = await until(async () => {
    const answer = await by.get(address)
    return answer.status === 200 && answer
  })
  const files = await unzipped(portal, bytes)
  const text = String(files['person.json'])
  return {
    address,
    text,
    json: JSON.parse(text),
    documents: Object.keys(files).filter((name) => name.startsWith('documents/')),
  }
}
