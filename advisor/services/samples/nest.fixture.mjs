import 'reflect-metadata'
import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Logger, LoggerModule } from 'nestjs-pino'

class Orders {
  #orders = Array.from({ length: 30 }, (_, id) => ({ id, name: `order ${id}`, total: id * 1.5 }))
  list = () => this.#orders
}
Injectable()(Orders)

class OrdersController {
  constructor(orders, logger) {
    this.orders = orders
    this.logger = logger
  }
  list() {
    this.logger.log('orders')
    return this.orders.list()
  }
}
// The decorators as functions, because this file is run without a compiler.
Inject(Orders)(OrdersController, undefined, 0)
Inject(Logger)(OrdersController, undefined, 1)
Get()(OrdersController.prototype, 'list', Object.getOwnPropertyDescriptor(OrdersController.prototype, 'list'))
Controller('orders')(OrdersController)

class App {}
Module({ imports: [LoggerModule.forRoot()], controllers: [OrdersController], providers: [Orders] })(App)

const app = await NestFactory.create(App, { bufferLogs: true })
await app.listen(process.env.PORT)
