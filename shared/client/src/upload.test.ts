import { endpoint } from '@portal/contracts/endpoint'
import { done, excelUpload } from '@portal/contracts/fields'
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { formData } from './request.ts'
import { change, failure, serving } from './test-server.ts'

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: what the api sets
  document.cookie = 'XSRF-TOKEN=old%2Btoken%3D'
})

test('a form with a file names lists with brackets and leaves empty values out', () => {
  const file = new File(['x'], 'list.xlsx')
  const form = formData({ name: 'Term 1', tags: ['a', 'b'], reject: false, comment: '', missing: null, file })
  expect(
    [...form.entries()].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  ).toEqual([
    ['name', 'Term 1'],
    ['tags[]', 'a'],
    ['tags[]', 'b'],
    ['reject', 'false'],
    ['file', 'list.xlsx'],
  ])
})

test('an upload reports how much of it has left, and is answered like any call', async () => {
  const upload = endpoint({
    method: 'POST',
    path: '/admin/cohorts/import',
    access: 'cohorts.create',
    multipart: true,
    body: v.object({ list: excelUpload }),
    answer: done,
  })
  const sent: Record<string, string> = {}
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload: { onprogress?: (event: object) => void } = {}
      onload = () => {}
      status = 200
      responseText = '{"message":"Transfer cohort import initiated..."}'
      open(method: string, url: string) {
        sent.target = `${method} ${url}`
      }
      setRequestHeader(name: string, value: string) {
        sent[name] = value
      }
      getResponseHeader = () => 'application/json'
      send() {
        this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 })
        this.onload()
      }
    },
  )
  const shares: number[] = []
  const { client } = serving([])
  const answer = await client.call(upload, {
    body: { list: new File(['x'], 'list.xlsx') },
    onUploadProgress: (share) => shares.push(share),
  })
  vi.unstubAllGlobals()
  expect(answer.message).toBe('Transfer cohort import initiated...')
  expect(shares).toEqual([0.25])
  expect(sent).toMatchObject({ target: 'POST /api/admin/cohorts/import', 'X-XSRF-TOKEN': 'old+token=' })
})

test('a person who takes a file back before its first byte has left sends nothing of it', async () => {
  const sent: string[] = []
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      open = () => {}
      setRequestHeader = () => {}
      send = () => void sent.push('the file')
    },
  )
  const { client } = serving([])
  const stopping = new AbortController()
  const upload = endpoint({ ...change, method: 'POST', path: '/imports', multipart: true })
  const answer = failure(
    client.call(upload, {
      body: { from: '2026-11-01' },
      signal: stopping.signal,
      onUploadProgress: () => {},
    }),
  )
  // What sends files is still being fetched.
  stopping.abort()
  expect((await answer).name).toBe('AbortError')
  vi.unstubAllGlobals()
  expect(sent).toEqual([])
})
