import postgres from 'postgres';

export default postgres;
