package dev.mooring.binder;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import com.google.inject.AbstractModule;
import com.google.inject.BindingAnnotation;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.storage.DeletionGuards;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.SavedVolumes;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Installs the binder. Requires a {@link BinderConfig}, {@link
 * dev.mooring.informer.SharedInformers}, {@link dev.mooring.cluster.ClusterPorts} and {@link
 * dev.mooring.storage.LoadedPlugins} annotated with {@link InTree}. Provides its {@link
 * DeletionBreaker}, {@link DeletionDelay}, {@link SavedVolumes} and {@link ProtectionHandover} to
 * other controllers of the process.
 */
public final class BinderModule extends AbstractModule {
  /** Qualifier of the plugins whose volumes the binder itself provisions and deletes. */
  @BindingAnnotation
  @Target({METHOD, PARAMETER})
  @Retention(RUNTIME)
  public @interface InTree {}

  @Override
  protected void configure() {
    bind(BinderController.class).in(Scopes.SINGLETON);
  }

  @ProvidesIntoSet
  @Singleton
  ControllerSpec spec(BinderController controller) {
    return controller.spec();
  }

  @Provides
  DeletionBreaker breaker(BinderController controller) {
    return controller.breaker();
  }

  @Provides
  DeletionGuards guards(BinderController controller) {
    return controller.guards();
  }

  @Provides
  DeletionDelay delay(BinderController controller) {
    return controller.guards().delay();
  }

  @Provides
  ProtectionHandover handover(BinderController controller) {
    return controller.handover();
  }

  @Provides
  SavedVolumes savedVolumes(BinderController controller) {
    return controller.savedVolumes();
  }
}
