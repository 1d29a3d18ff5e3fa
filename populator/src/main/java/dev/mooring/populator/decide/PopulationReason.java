package dev.mooring.populator.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reasons why a claim with a data source waits for its volume. */
public enum PopulationReason implements ReasonCode {
  UNRECOGNIZED_DATA_SOURCE_KIND(
      CauseRank.MISCONFIGURED,
      "no populator is registered for the kind of the claim's data source",
      "install the populator of that kind and its VolumePopulator, or create the claim again with another data source"),
  POPULATOR_NAMESPACE_MISSING(
      CauseRank.MISCONFIGURED,
      "a plugin can fill the volume, but no namespace for prime claims is configured",
      "start Mooring with --populator-namespace=NAMESPACE and the rights for it"),
  POPULATION_WITHOUT_CLASS(
      CauseRank.MISCONFIGURED,
      "the claim names no class, so no volume can be created for the populator",
      "create the claim again with a storageClassName"),
  POPULATION_OF_IN_TREE_CLASS(
      CauseRank.MISCONFIGURED,
      "in-tree provisioners cannot create volumes for populators",
      "create the claim again with the class of a CSI driver or of an external provisioner"),
  DATA_SOURCE_ACROSS_NAMESPACES(
      CauseRank.MISCONFIGURED,
      "the data source is in another namespace, and such data sources are disabled",
      "set --feature-gates=CrossNamespaceVolumeDataSource=true, or use a data source in the claim's namespace"),
  DATA_SOURCE_NOT_GRANTED(
      CauseRank.MISCONFIGURED,
      "no ReferenceGrant lets the claim use the data source of another namespace",
      "create a ReferenceGrant in the namespace of the data source"),
  PRIME_CLAIM_NAME_TAKEN(
      CauseRank.MISCONFIGURED,
      "another program's claim has the name of the prime claim",
      "delete or rename that claim"),
  POPULATOR_POD_NAME_TAKEN(
      CauseRank.MISCONFIGURED,
      "another program's pod has the name of the populator pod",
      "delete that pod"),
  POPULATED_VOLUME_TAKEN(
      CauseRank.MISCONFIGURED,
      "the volume of the prime claim belongs to another claim",
      "delete the prime claim, so that another volume is created and filled"),
  PRIME_CLAIM_UNBOUND(
      CauseRank.WAITING,
      "the volume that the populator will fill does not exist yet",
      "see why the prime claim waits: mooring explain pvc/NAME -n NAMESPACE"),
  POPULATING(
      CauseRank.WORKING,
      "the populator fills the volume",
      "if it takes long, see the events of the claim and the log of the populator pod"),
  POPULATED_VOLUME_UNBOUND(
      CauseRank.WAITING,
      "the volume is filled, and the volume controller binds it to the claim next",
      "check that the volume controller runs"),
  POPULATOR_NOT_SEEN(
      CauseRank.WAITING,
      "a populator is registered for the kind of the data source, and has not begun to fill a volume",
      "check that the populator runs, and read its log"),
  POPULATION_CLEANUP(
      CauseRank.WORKING,
      "the objects of the population are being removed",
      "see the finalizers of the prime claim and of the populator pod");

  private final CauseRank rank;
  private final ReasonText wording;

  PopulationReason(CauseRank rank, String meaning, String remedy) {
    this.rank = rank;
    this.wording = new ReasonText(meaning, remedy);
  }

  public CauseRank rank() {
    return rank;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
