import '@portal/ui/ui.css'
import './shell.css'
import { liveLanguage } from './public/live-language.ts'

liveLanguage()
