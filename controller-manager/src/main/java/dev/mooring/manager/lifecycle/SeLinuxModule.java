package dev.mooring.manager.lifecycle;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import dev.mooring.binder.BinderController;
import dev.mooring.informer.Informer;
import dev.mooring.kube.EventRecorder;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.PodMounts;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.selinux.SeLinuxWarningController;
import dev.mooring.time.Time;

/** The warnings about SELinux labels, with pods of their own: nobody else asks what they mount. */
final class SeLinuxModule extends AbstractModule {
  SeLinuxModule() {}

  @Provides
  @Singleton
  Informer<PodMounts> pods() {
    return new Informer<>(Kind.POD_MOUNTS, SeLinuxWarningController.POD_INDEXES);
  }

  @Provides
  @Singleton
  SeLinuxWarningController controller(
      Informer<PodMounts> pods,
      BinderController.Informers informers,
      Informer<CsiDriver> drivers,
      EventRecorder events,
      Time time) {
    return new SeLinuxWarningController(
        new SeLinuxWarningController.Informers(
            pods, informers.claims(), informers.volumes(), drivers),
        events,
        time);
  }

  @ProvidesIntoSet
  ControllerSpec warning(SeLinuxWarningController controller) {
    return controller.spec();
  }
}
