import { Entity, PrimaryColumn } from 'typeorm';

/** The newest backup, or the migration that made the table: always one row. The one who saves the database updates it. */
@Entity('backups')
export class Backup {
  @PrimaryColumn('timestamptz', { name: 'saved_at' })
  savedAt!: Date;
}
