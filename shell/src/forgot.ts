import { password, session } from '@portal/contracts/session'
import { liveForm } from './public/live-form.ts'

const client = liveForm({
  retype: 'email',
  send: async (calls, { email = '' }) => (await calls.call(password.forgot, { body: { email } })).message,
})

// Makes the anti-forgery token.
void client.call(session.read).catch(() => {})
