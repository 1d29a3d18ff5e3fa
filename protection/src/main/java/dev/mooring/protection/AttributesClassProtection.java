package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
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

  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("protecting VolumeAttributesClasses that are in use")
          .mayCache(Kind.ATTRIBUTES_CLASS)
          .may(Kind.ATTRIBUTES_CLASS, Verb.PATCH);

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
  ControllerSpec.Builder declareInputs(ControllerSpec.Builder spec) {
    return spec.reads(claims, volumes, classes)
        .addHandler(classes, this::classChanged)
        .addHandler(claims, this::claimChanged)
        .addHandler(volumes, this::volumeChanged);
  }

  private void classChanged(Change<AttributesClass> change) {
    if (!(change instanceof Change.Deleted<AttributesClass>)
        && FinalizerDecider.needsDecision(
            change.object().meta(), FinalizerDecider.CLASS_FINALIZER)) {
      enqueue(change.key());
    }
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim> _ -> {}
      case Change.Updated<Claim>(Claim old, Claim current) ->
          enqueueUnusedClasses(
              FinalizerDecider.classesOf(old), FinalizerDecider.classesOf(current));
      case Change.Deleted<Claim>(Claim last, _) ->
          enqueueUnusedClasses(FinalizerDecider.classesOf(last), Set.of());
    }
  }

  private void volumeChanged(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume> _ -> {}
      case Change.Updated<Volume>(Volume old, Volume current) ->
          enqueueUnusedClasses(Set.of(old.attributesClass()), Set.of(current.attributesClass()));
      case Change.Deleted<Volume>(Volume last, _) ->
          enqueueUnusedClasses(Set.of(last.attributesClass()), Set.of());
    }
  }

  private void enqueueUnusedClasses(Set<String> oldClasses, Set<String> currentClasses) {
    for (String className : oldClasses) {
      if (!className.isEmpty() && !currentClasses.contains(className)) {
        enqueue(ObjectKey.cluster(className));
      }
    }
  }

  @Override
  FinalizerRule<AttributesClass> createRule() {
    return FinalizerDecider.attributesClassRule(
        claims.snapshot().objects(), volumes.snapshot().objects());
  }
}
