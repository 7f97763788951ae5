<?php

use Testcontainers\Container\GenericContainer;
use Testcontainers\Wait\WaitForHttp;

$container = (new GenericContainer('ghcr.io/mockademy/mockademy:0.1'))
    ->withExposedPorts(4600)
    ->withEnvironment(['MOCKADEMY_STORE' => 'memory'])
    ->withWait((new WaitForHttp(4600))->withPath('/healthz'))
    ->start();
putenv("MOCKADEMY_URL=http://{$container->getHost()}:{$container->getMappedPort(4600)}");
register_shutdown_function(fn () => $container->stop());
