import { asRole, type Post } from './calls.ts'
import { inviteTo, paper, userId } from './cases.ts'
import { row } from './database.ts'

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
  await asRole('reviewer', async (post) => {
    await post('/admin/cases/refer', { multipart: { complain_id: await aCase(post), ...expert } })
  })
  return inviteTo(expert.email)
}

/** A case of its own, so that those of the demo stay as they are. */
async function aCase(post: Post): Promise<string> {
  const [reviewer, choices] = await Promise.all([
    userId('reviewer'),
    row<{ type: number; channel: number }>(
      'select type_id as type, channel_id as channel from cases order by id limit 1',
    ),
  ])
  const title = 'Bourse de novembre non reçue'
  await post('/admin/cases', {
    multipart: {
      ...choices,
      title,
      description: 'La mère de l’élève n’a rien reçu en novembre, et le numéro est le bon.',
      reviewer,
      priority: 'medium_1_week',
      file: paper('plainte.pdf'),
    },
  })
  return String((await row<{ id: number }>('select max(id) as id from cases where title = $1', title)).id)
}
