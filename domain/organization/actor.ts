export interface Actor {
  adminId: string;
  ip: string;
  userAgent: string | null;
}
