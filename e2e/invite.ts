import { type APIRequestContext, expect, request } from '@playwright/test'
import { inviteTo, paper, userId } from './cases.ts'
import { row } from './database.ts'
import { emailOf, password } from './people.ts'
import { place } from './stage/place.ts'

const expert = {
  salutation: 'dr',
  first_name: 'Oumar',
  last_name: 'Ballo',
  email: 'o.ballo@conseil.example',
  profession: 'Juriste',
  comment: 'Le programme peut-il verser de nouveau la bourse de novembre ?',
}
let made: Promise<string> | undefined

/** The address of an expert's page whose case waits for an answer; it is asked for once in a run, by the calls themselves. */
export const anInvite = (): Promise<string> => (made ??= invite())

async function invite(): Promise<string> {
  const context = await request.newContext({
    baseURL: place.url,
    extraHTTPHeaders: { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' },
  })
  const token = async () => {
    const { cookies } = await context.storageState()
    const found = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    return { 'X-XSRF-TOKEN': decodeURIComponent(found) }
  }
  await context.get('/api/session')
  await context.post('/api/login', { headers: await token(), data: { email: emailOf('reviewer'), password } })
  const answer = await context.post('/api/admin/cases/refer', {
    headers: await token(),
    multipart: { complain_id: await aCase(context, await token()), ...expert },
  })
  expect(answer.status(), 'the referral').toBe(200)
  await context.dispose()
  return inviteTo(expert.email)
}

/** A case of its own, so that those of the demo stay as they are. */
async function aCase(context: APIRequestContext, headers: Record<string, string>): Promise<string> {
  const [reviewer, choices] = await Promise.all([
    userId('reviewer'),
    row<{ type: number; channel: number }>(
      'select type_id as type, channel_id as channel from cases order by id limit 1',
    ),
  ])
  const title = 'Bourse de novembre non reçue'
  const answer = await context.post('/api/admin/cases', {
    headers,
    multipart: {
      ...choices,
      title,
      description: 'La mère de l’élève n’a rien reçu en novembre, et le numéro est le bon.',
      reviewer,
      priority: 'medium_1_week',
      file: paper('plainte.pdf'),
    },
  })
  expect(answer.status(), 'the case').toBe(200)
  return String((await row<{ id: number }>('select max(id) as id from cases where title = $1', title)).id)
}
