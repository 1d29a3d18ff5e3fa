package dev.mooring.manager.lifecycle;

import com.google.inject.Module;
import com.google.inject.Provider;
import com.google.inject.Scopes;
import com.google.inject.multibindings.Multibinder;
import dev.mooring.attachdetach.AttachDetachController;
import dev.mooring.attachdetach.AttachDetachRights;
import dev.mooring.attachdetach.OutOfServiceController;
import dev.mooring.binder.BinderController;
import dev.mooring.binder.BinderModule;
import dev.mooring.binder.BinderRights;
import dev.mooring.cluster.OwnedKey;
import dev.mooring.cluster.RbacRules;
import dev.mooring.csi.CsiBridge;
import dev.mooring.csi.CsiModule;
import dev.mooring.expander.ExpandController;
import dev.mooring.populator.DataSourceValidator;
import dev.mooring.populator.PopulationController;
import dev.mooring.populator.PopulationMarks;
import dev.mooring.protection.AttributesClassProtection;
import dev.mooring.protection.ClaimProtection;
import dev.mooring.protection.EphemeralVolumes;
import dev.mooring.protection.VolumeProtection;
import dev.mooring.provisioner.DeletionVerifier;
import dev.mooring.provisioner.PluginProvisioners;
import dev.mooring.provisioner.ProvisionMarks;
import dev.mooring.provisioner.ProvisionModule;
import dev.mooring.provisioner.ProvisionRights;
import dev.mooring.provisioner.UsageController;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.selinux.SeLinuxWarningController;
import dev.mooring.snapshots.SnapshotController;
import dev.mooring.snapshots.SnapshotMarks;
import dev.mooring.snapshots.SnapshotRights;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All controllers of this program, with their name in {@code --controllers}, Guice module, rights
 * and defaults. A new controller needs only an entry here.
 */
public enum KnownController {
  BINDER(
      BinderController.NAME,
      "persistentvolume-binder",
      new BinderModule(),
      config -> BinderRights.of(config.binder())),
  CLAIM_PROTECTION(
      ClaimProtection.NAME,
      "pvc-protection",
      bind(ClaimProtection.class, ClaimProtection::spec),
      config ->
          ClaimProtection.rights(config.features().unusedCondition(), config.binder().delay())),
  VOLUME_PROTECTION(
      VolumeProtection.NAME,
      "pv-protection",
      bind(VolumeProtection.class, VolumeProtection::spec),
      config -> VolumeProtection.RIGHTS),
  ATTRIBUTES_CLASS_PROTECTION(
      AttributesClassProtection.NAME,
      "",
      bind(AttributesClassProtection.class, AttributesClassProtection::spec),
      config -> AttributesClassProtection.RIGHTS,
      Trait.MAY_NOT_BE_SERVED),
  EPHEMERAL_VOLUMES(
      EphemeralVolumes.NAME,
      "ephemeral-volume",
      bind(EphemeralVolumes.class, EphemeralVolumes::spec),
      config -> EphemeralVolumes.RIGHTS),
  ATTACH_DETACH(
      AttachDetachController.NAME,
      "attachdetach",
      bind(AttachDetachController.class, AttachDetachController::spec),
      config -> AttachDetachRights.of(config.attachDetach())),
  OUT_OF_SERVICE(
      OutOfServiceController.NAME,
      "",
      bind(OutOfServiceController.class, OutOfServiceController::spec),
      config ->
          config.isActive(OutOfServiceController.NAME)
              ? OutOfServiceController.RIGHTS
              : RbacRules.NONE,
      Trait.BESIDE),
  EXPANDER(
      ExpandController.NAME,
      "persistentvolume-expander",
      bind(ExpandController.class, ExpandController::spec),
      config -> ExpandController.RIGHTS,
      Trait.BESIDE_FOR_PLUGINS),
  CSI(CsiBridge.NAME, "", new CsiModule(), config -> ofDrivers(config.csi()), Trait.BESIDE),
  PROVISIONERS(
      PluginProvisioners.NAME,
      "",
      new ProvisionModule(),
      config -> ProvisionRights.ofPlugins(config.plugins().podsNamespace()),
      Trait.BESIDE),
  USAGE(
      UsageController.NAME,
      "",
      bind(UsageController.class, UsageController::spec),
      config -> config.plugins().usage().isPositive() ? ProvisionRights.USAGE : RbacRules.NONE,
      Trait.BESIDE),
  DELETION_VERIFIER(
      DeletionVerifier.NAME,
      "",
      bind(DeletionVerifier.class, DeletionVerifier::spec),
      config ->
          config.plugins().verification().isPositive() ? ProvisionRights.USAGE : RbacRules.NONE,
      Trait.BESIDE),
  POPULATORS(
      PopulationController.NAME,
      "",
      bind(PopulationController.class, PopulationController::spec),
      config -> PopulationController.rights(config.populator()),
      Trait.BESIDE),
  DATA_SOURCE_VALIDATOR(
      DataSourceValidator.NAME,
      "",
      bind(DataSourceValidator.class, DataSourceValidator::spec),
      config -> DataSourceValidator.RIGHTS,
      Trait.BESIDE),
  SELINUX_WARNING(
      SeLinuxWarningController.NAME,
      "",
      bind(SeLinuxWarningController.class, SeLinuxWarningController::spec),
      config -> SeLinuxWarningController.RIGHTS,
      Trait.OFF_BY_DEFAULT),
  SNAPSHOTS(
      SnapshotController.NAME,
      "",
      bind(SnapshotController.class, SnapshotController::spec),
      config -> SnapshotRights.of(config.snapshots()),
      Trait.OFF_BY_DEFAULT,
      Trait.MAY_NOT_BE_SERVED);

  private enum Trait {
    OFF_BY_DEFAULT,
    // Also runs with --mode=beside, because kube-controller-manager has no such controller.
    BESIDE,
    // With --mode=beside, works only on the volumes of plugins.
    BESIDE_FOR_PLUGINS,
    // Clusters may not serve its kinds, so startup does not wait for it.
    MAY_NOT_BE_SERVED
  }

  private final String controller;
  private final String shortName;
  private final Module module;
  private final Function<ManagerConfig, RbacRules> rights;
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

  KnownController(
      String controller,
      String shortName,
      Module module,
      Function<ManagerConfig, RbacRules> rights,
      Trait... traits) {
    this.controller = controller;
    this.shortName = shortName;
    this.module = module;
    this.rights = rights;
    this.traits.addAll(Arrays.asList(traits));
  }

  private static <C> Module bind(Class<C> type, Function<C, ControllerSpec> declaration) {
    return binder -> {
      binder.bind(type).in(Scopes.SINGLETON);
      Provider<C> controller = binder.getProvider(type);
      Provider<ControllerSpec> spec = () -> declaration.apply(controller.get());
      Multibinder.newSetBinder(binder, ControllerSpec.class)
          .addBinding()
          .toProvider(spec)
          .in(Scopes.SINGLETON);
    };
  }

  private static RbacRules ofDrivers(ManagerConfig.Csi csi) {
    RbacRules rules = csi.drivers().isEmpty() ? RbacRules.NONE : ProvisionRights.PROVISIONING;
    for (ManagerConfig.Driver driver : csi.drivers().values()) {
      rules = rules.with(driver.config().rights());
    }
    return rules;
  }

  public static Optional<KnownController> find(String name) {
    return Arrays.stream(values()).filter(entry -> entry.isCalled(name)).findFirst();
  }

  private static Set<String> names(Predicate<KnownController> filter) {
    return Arrays.stream(values())
        .filter(filter)
        .map(entry -> entry.controller)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  public static Set<String> names() {
    return names(entry -> true);
  }

  public static Set<String> onByDefault() {
    return names(entry -> !entry.traits.contains(Trait.OFF_BY_DEFAULT));
  }

  public static Set<String> beside() {
    return names(entry ->
        entry.traits.contains(Trait.BESIDE) || entry.traits.contains(Trait.BESIDE_FOR_PLUGINS));
  }

  public static Set<String> offByDefault() {
    return names(entry -> entry.traits.contains(Trait.OFF_BY_DEFAULT));
  }

  /**
   * Returns the configured controllers that kube-controller-manager runs by default, and that must
   * not run twice.
   */
  public static Set<KnownController> sharedWithKubernetes(ManagerConfig config) {
    return Arrays.stream(values())
        .filter(one -> config.controllers().contains(one.controller))
        .filter(one -> !one.traits.contains(Trait.BESIDE))
        .filter(one -> !one.traits.contains(Trait.BESIDE_FOR_PLUGINS) || !config.beside())
        .filter(one -> !one.traits.contains(Trait.OFF_BY_DEFAULT))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(KnownController.class)));
  }

  public boolean isCalled(String name) {
    return !name.isEmpty() && (controller.equals(name) || shortName.equals(name));
  }

  public static List<OwnedKey> marks() {
    return Stream.of(
            OutOfServiceController.MARKS,
            ProvisionMarks.OWN,
            PopulationMarks.OWN,
            SnapshotMarks.OWN)
        .flatMap(List::stream)
        .toList();
  }

  public String controller() {
    return controller;
  }

  public Module module() {
    return module;
  }

  RbacRules rights(ManagerConfig config) {
    return rights.apply(config);
  }

  boolean mayNotBeServed() {
    return traits.contains(Trait.MAY_NOT_BE_SERVED);
  }
}
