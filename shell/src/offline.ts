import '@portal/ui/ui.css'
import './shell.css'
import './public/public.css'

const retry = () => window.location.reload()
document.querySelector('[data-retry]')?.addEventListener('click', retry)
window.addEventListener('online', retry)

// The event does not come when the connection was back before this script ran, nor when only the server was away.
const isBack = async () => (await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' })).ok
setInterval(
  () =>
    void isBack().then(
      (back) => back && retry(),
      () => undefined,
    ),
  5000,
)
