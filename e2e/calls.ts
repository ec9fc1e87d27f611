import { type APIRequestContext, type APIResponse, expect, request } from '@playwright/test'
import { emailOf, password, type Role } from './people.ts'
import { place } from './stage/place.ts'

type Sent = Pick<NonNullable<Parameters<APIRequestContext['post']>[1]>, 'data' | 'multipart'>
/** Sends a call of somebody who has signed in, and expects that it is answered. */
export type Post = (path: string, sent: Sent) => Promise<APIResponse>

/** Lets somebody do things by the calls themselves, where no journey is about how they are done. */
export async function asRole(role: Role, act: (post: Post) => Promise<void>): Promise<void> {
  const context = await request.newContext({
    baseURL: place.url,
    extraHTTPHeaders: { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' },
  })
  const token = async () => {
    const { cookies } = await context.storageState()
    const found = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    return { 'X-XSRF-TOKEN': decodeURIComponent(found) }
  }
  const post: Post = async (path, sent) => {
    const answer = await context.post(`/api${path}`, { headers: await token(), ...sent })
    expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200)
    return answer
  }
  await context.get('/api/session')
  await post('/login', { data: { email: emailOf(role), password } })
  await act(post)
  await context.dispose()
}
