import { Controller, Get, Header, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { openApiOf } from './openapi.js';

/** The description of the REST API, made from the routes that run. */
@Controller('openapi.json')
export class OpenApiController {
  private document: object | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  read(): object {
    return (this.document ??= openApiOf(this.controllers()));
  }

  private controllers(): Type[] {
    const wrappers = [...this.modules.values()].flatMap(({ controllers }) => [...controllers.values()]);
    return wrappers.map(({ metatype }) => metatype as Type);
  }
}
