import { startPortal } from '../portal.ts'
import { publicUrl, startIdentityProvider, Traveller } from './identity-provider.ts'

export const refused = `${publicUrl}/login?with=refused`
export const over = `${publicUrl}/login?with=over`
export const userOf = async ({ portal: client }: Traveller) => (await client.get('/session')).body.user

/** For tests of signing in with an organisation: a portal with two of them, and a person who comes from them. */
export async function signInWithStage() {
  const provider = await startIdentityProvider('ministry', ['test.example'])
  const partner = await startIdentityProvider('partner', ['partner.example'])
  const portal = await startPortal({ publicUrl, identityProviders: [provider.entry, partner.entry] })

  return {
    ...{ provider, partner, portal },
    traveller: async () => new Traveller(await portal.visitor()),
    /** Whom the first organisation vouches for from now on. */
    as(email: string, verified = true) {
      provider.person = { email, verified }
    },
    /** The last entries of the audit log about sign-ins, the newest first. */
    async entries(count = 1) {
      const { rows } = await portal.owner.query(
        `select a.event, a.user_id, a.auditable_id, v.new_values from audits a join audit_values v on v.audit_id = a.id
         where a.event like '%sign%in%' or a.event = 'signed in' order by a.id desc limit $1`,
        [count],
      )
      return rows
    },
  }
}
