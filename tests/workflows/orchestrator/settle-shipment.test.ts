import { describe } from '@jest/globals';
import { settleShipment } from '../../replay/cases/settle-shipment.js';
import { useRuns } from '../runs.js';

const { judge } = useRuns('settleShipment');

describe('a label whose answers were lost', () => {
  judge(settleShipment);
});
