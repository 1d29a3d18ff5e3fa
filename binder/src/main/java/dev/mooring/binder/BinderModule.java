package dev.mooring.binder;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;

/**
 * Wires the binder. Needs {@link BinderConfig}, {@link BinderController.Informers} and {@link
 * BinderController.Ports}.
 */
public final class BinderModule extends AbstractModule {
  @Provides
  @Singleton
  BinderController controller(
      BinderConfig config, BinderController.Informers informers, BinderController.Ports ports) {
    return new BinderController(config, informers, ports);
  }
}
