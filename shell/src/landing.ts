import '@portal/ui/ui.css'
import './shell.css'
import './public/public.css'
import { liveLanguage } from './public/live-language.ts'

liveLanguage()
