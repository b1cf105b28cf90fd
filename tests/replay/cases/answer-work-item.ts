import type { AnswerActivities } from '../../../activities/worklist/answers.js';
import type { answerWorkItem as workflow } from '../../../workflows/worklist/answer-work-item.js';
import { failingFirst, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

const given = {
  itemId: '00000000-0000-4000-8000-00000000000c',
  source: 'router',
  answer: 'ask_again',
  by: 'ada@clinic.test',
  note: null,
  data: {},
};

function answering(expect: Expected, replaced: Partial<AnswerActivities> = {}) {
  const activities: AnswerActivities = {
    handAnswer: async () => ({ state: 'done', reason: null }),
    recordAnswer: async () => undefined,
    ...replaced,
  };
  const args: Parameters<typeof workflow> = [given];
  return { args, activities, expect };
}
const { itemId, answer, by } = given;
const recorded = (refusal: string | null) => ({ recordAnswer: [{ itemId, answer, by, refusal }] });

export const answerWorkItem: CasesOf<typeof workflow> = {
  done: answering({
    behavior: 'it is handed to the service whose item it is, and the item closed',
    result: { refusal: null },
    calls: ['handAnswer', 'recordAnswer'],
    inputs: recorded(null),
  }),
  refused: answering(
    {
      behavior: 'refused, the item waits for another answer',
      result: { refusal: 'It is closed' },
      inputs: recorded('It is closed'),
    },
    { handAnswer: async () => ({ state: 'refused', reason: 'It is closed' }) },
  ),
  'not-taken': answering(
    {
      behavior: 'one that the service does not take is refused',
      result: { refusal: 'Router answered 400' },
      inputs: recorded('Router answered 400'),
    },
    { handAnswer: refusal('Router answered 400') },
  ),
  away: answering(
    { behavior: 'a service that is away is waited for', result: { refusal: null }, times: { handAnswer: 3 } },
    { handAnswer: failingFirst(2, async () => ({ state: 'done' as const, reason: null })) },
  ),
};
