package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.reconcile.ControllerSpec;
import java.util.Set;

/**
 * Protects VolumeAttributesClasses that claims or volumes use ({@code
 * volumeattributesclass-protection-controller}).
 */
public final class AttributesClassProtection extends FinalizerController<AttributesClass> {
  public static final String NAME = "volumeattributesclass-protection-controller";

  private final Informer<AttributesClass> classes;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;

  @Inject
  public AttributesClassProtection(SharedInformers informers, ClusterPorts ports) {
    super(NAME, "vacprotection", informers.of(Kind.ATTRIBUTES_CLASS), ports, ObjectKey::name);
    this.classes = informers.of(Kind.ATTRIBUTES_CLASS);
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
  }

  @Override
  ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(claims, volumes, classes)
        .on(classes, this::classChanged)
        .on(claims, this::claimChanged)
        .on(volumes, this::volumeChanged);
  }

  private void classChanged(Change<AttributesClass> change) {
    if (!(change instanceof Change.Deleted<AttributesClass>)
        && FinalizerDecider.concerns(change.object().meta(), FinalizerDecider.CLASS_FINALIZER)) {
      wake(change.key());
    }
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim> _ -> {}
      case Change.Updated<Claim>(Claim before, Claim now) ->
          dropped(FinalizerDecider.classesOf(before), FinalizerDecider.classesOf(now));
      case Change.Deleted<Claim>(Claim last) -> dropped(FinalizerDecider.classesOf(last), Set.of());
    }
  }

  private void volumeChanged(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume> _ -> {}
      case Change.Updated<Volume>(Volume before, Volume now) ->
          dropped(Set.of(before.attributesClass()), Set.of(now.attributesClass()));
      case Change.Deleted<Volume>(Volume last) -> dropped(Set.of(last.attributesClass()), Set.of());
    }
  }

  private void dropped(Set<String> before, Set<String> now) {
    for (String name : before) {
      if (!name.isEmpty() && !now.contains(name)) {
        wake(ObjectKey.cluster(name));
      }
    }
  }

  @Override
  FinalizerRule<AttributesClass> rule() {
    return FinalizerDecider.attributesClasses(claims.snapshot().all(), volumes.snapshot().all());
  }
}
