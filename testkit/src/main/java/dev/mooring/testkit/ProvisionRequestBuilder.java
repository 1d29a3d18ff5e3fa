package dev.mooring.testkit;

import dev.mooring.model.AccessModes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.Provisioner.ClaimInfo;
import dev.mooring.spi.Provisioner.NodeInfo;
import dev.mooring.spi.Provisioner.Request;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a provision request. Default: 1Gi, ReadWriteOnce, file system, claim "c" in namespace
 * "ns", class "class", no selected node. Not thread-safe.
 */
public final class ProvisionRequestBuilder {
  private final String volumeName;
  private ClaimInfo claim = new ClaimInfo(ObjectKey.of("ns", "c"), Uid.of("u"), Map.of(), Map.of());
  private AccessModes accessModes = AccessModes.of("ReadWriteOnce");
  private VolumeMode volumeMode = VolumeMode.FILESYSTEM;
  private String className = "class";
  private Map<String, String> parameters = Map.of();
  private Map<String, String> classAnnotations = Map.of();
  private @Nullable String selectedNode = null;
  private List<Map<String, List<String>>> allowedTopologies = List.of();
  private @Nullable NodeInfo node = null;

  ProvisionRequestBuilder(String volumeName) {
    this.volumeName = volumeName;
  }

  public ProvisionRequestBuilder claim(ClaimInfo value) {
    this.claim = value;
    return this;
  }

  public ProvisionRequestBuilder accessModes(String... modes) {
    this.accessModes = AccessModes.of(modes);
    return this;
  }

  public ProvisionRequestBuilder volumeMode(VolumeMode value) {
    this.volumeMode = value;
    return this;
  }

  public ProvisionRequestBuilder className(String value) {
    this.className = value;
    return this;
  }

  public ProvisionRequestBuilder parameters(Map<String, String> value) {
    this.parameters = value;
    return this;
  }

  public ProvisionRequestBuilder classAnnotations(Map<String, String> value) {
    this.classAnnotations = value;
    return this;
  }

  public ProvisionRequestBuilder selectedNode(@Nullable String value) {
    this.selectedNode = value;
    return this;
  }

  public ProvisionRequestBuilder allowedTopologies(List<Map<String, List<String>>> value) {
    this.allowedTopologies = value;
    return this;
  }

  /** Sets the selected node, and its name. */
  public ProvisionRequestBuilder node(NodeInfo value) {
    this.node = value;
    this.selectedNode = value.name();
    return this;
  }

  public Request build() {
    return new Request(
        volumeName,
        claim,
        Quantity.of("1Gi"),
        accessModes,
        volumeMode,
        className,
        parameters,
        List.of(),
        selectedNode,
        classAnnotations,
        allowedTopologies,
        node);
  }
}
