import { boardsApi } from '@albedo/contract/boards/boards.api';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { settingsApi } from '@albedo/contract/settings/settings.api';
