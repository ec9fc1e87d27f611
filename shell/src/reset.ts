import { password, session } from '@portal/contracts/session'
import { liveForm } from './public/live-form.ts'

/** The last part of the address, as the mail has it. */
const token = () => decodeURIComponent(location.pathname.split('/').pop() ?? '')

const client = liveForm({
  retype: 'password',
  send: async (calls, values) =>
    (await calls.call(password.reset, { body: { token: token(), password: values.password ?? '' } })).message,
})

// Sets the CSRF token.
void client.call(session.read).catch(() => {})
