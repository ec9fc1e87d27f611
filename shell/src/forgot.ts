import { password, session } from '@portal/contracts/session'
import { liveForm } from './public/live-form.ts'

const client = liveForm({
  retype: 'email',
  send: async (calls, { email = '' }) => (await calls.call(password.forgot, { body: { email } })).message,
})

// Sets the CSRF token.
void client.call(session.read).catch(() => {})
