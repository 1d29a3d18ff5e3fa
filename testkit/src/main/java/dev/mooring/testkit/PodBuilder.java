package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.List;

/** Builder of a Pod. Default: Pending, without node and volumes. */
public final class PodBuilder extends ObjectBuilder<Pod, PodBuilder> {
  private String nodeName = "";
  private List<String> claims = List.of();
  private List<String> ephemeral = List.of();
  private List<Pod.Inline> inline = List.of();
  private Pod.Phase phase = Pod.Phase.PENDING;
  private boolean containersStopped = false;
  private boolean shutDown = false;

  PodBuilder(ObjectKey key) {
    super(key);
  }

  public PodBuilder nodeName(String value) {
    this.nodeName = value;
    return this;
  }

  public PodBuilder claims(List<String> value) {
    this.claims = value;
    return this;
  }

  public PodBuilder ephemeral(List<String> value) {
    this.ephemeral = value;
    return this;
  }

  public PodBuilder inline(List<Pod.Inline> value) {
    this.inline = value;
    return this;
  }

  public PodBuilder phase(Pod.Phase value) {
    this.phase = value;
    return this;
  }

  public PodBuilder containersStopped(boolean value) {
    this.containersStopped = value;
    return this;
  }

  public PodBuilder shutDown(boolean value) {
    this.shutDown = value;
    return this;
  }

  public PodBuilder claims(String... names) {
    return claims(List.of(names));
  }

  public PodBuilder runningOn(String node) {
    return nodeName(node).phase(Pod.Phase.RUNNING);
  }

  @Override
  public Pod build() {
    return new Pod(meta(), nodeName, claims, ephemeral, inline, phase, containersStopped, shutDown);
  }
}
