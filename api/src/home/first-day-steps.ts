import { permissions } from '@portal/contracts/permissions'
import type { Step } from '../modules/module-steps.service.ts'

/** Whoever may change something, not only read it. */
const acting = permissions.filter((name) => !name.endsWith('.view'))

/** Steps of the portal's own pages. Those of modules are in their manifests, with orders between these. */
export const ownSteps: Step[] = [
  {
    module: 'portal',
    id: 'codes',
    title: { en: 'Protect your account', fr: 'Protégez votre compte' },
    text: {
      en: 'Turn on one-time codes on your profile, so that your password alone opens nothing.',
      fr: 'Activez les codes à usage unique dans votre profil : votre mot de passe seul n’ouvrira plus rien.',
    },
    permission: acting,
    link: '/profile',
    done: { type: 'user', events: ['codes turned on'] },
    order: 10,
  },
  {
    module: 'portal',
    id: 'attendance',
    title: { en: 'See who is at school', fr: 'Voyez qui est à l’école' },
    text: {
      en: 'Schools report every day who is present. Filter by region, CAP and school.',
      fr: 'Les établissements signalent chaque jour les présences. Filtrez par région, par CAP et par établissement.',
    },
    link: '/home/attendance',
    order: 60,
  },
  {
    module: 'portal',
    id: 'messages',
    title: { en: 'Read what schools send', fr: 'Lisez ce qu’envoient les établissements' },
    text: {
      en: 'Each message of a school’s device is here, with what became of it.',
      fr: 'Chaque message de l’appareil d’un établissement est ici, avec ce qui en a été fait.',
    },
    link: '/home/messages',
    order: 70,
  },
  {
    module: 'portal',
    id: 'profile',
    title: { en: 'Make the portal yours', fr: 'Réglez le portail à votre façon' },
    text: {
      en: 'Your profile has your language, the page that you begin with and the mails that you get.',
      fr: 'Votre profil contient votre langue, la page de départ et les messages que vous recevez.',
    },
    link: '/profile',
    order: 80,
  },
]
