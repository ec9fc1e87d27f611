import '@portal/ui/ui.css'
import './shell.css'
import './public/public.css'

const retry = () => window.location.reload()
document.querySelector('[data-retry]')?.addEventListener('click', retry)
window.addEventListener('online', retry)
