package dev.mooring.storage;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;

/** Reads selected nodes with all labels and annotations, which provisioners may need. */
public final class SelectedNodeReader {
  private SelectedNodeReader() {}

  /**
   * Reads the node from the server.
   *
   * @return {@link ReadResult.Absent} also if no node can have the name
   */
  public static ReadResult<Node> read(String name, LiveReader reader) throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(name);
    return key.flaw().isEmpty() ? reader.read(Kind.NODE, key) : new ReadResult.Absent<>();
  }
}
