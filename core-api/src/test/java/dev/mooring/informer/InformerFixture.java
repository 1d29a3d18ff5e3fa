package dev.mooring.informer;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;

abstract class InformerFixture {
  final Index<CsiDriver, Boolean> byAttach =
      new Index<>("attach", d -> List.of(d.attachRequired()));
  final Informer<CsiDriver> informer = new Informer<>(Kind.CSI_DRIVER, List.of(byAttach));
  final List<String> received = new ArrayList<>();

  static CsiDriver driver(String name, String uid, long version, boolean attach) {
    return TestObjects.csiDriver(ObjectKey.cluster(name))
        .uid(uid)
        .version(version)
        .created(1)
        .attachRequired(attach)
        .build();
  }

  static CsiDriver driver(String name, long version) {
    return driver(name, "u-" + name, version, true);
  }

  /** Replaces the contents by a list that started after all earlier writes. */
  void replaceAll(List<CsiDriver> objects, long version) {
    informer.replaceAll(objects, version, informer.startList());
  }

  void recordChanges() {
    informer.addHandler(change ->
        received.add(
            switch (change) {
              case Change.Added<CsiDriver>(CsiDriver now) ->
                  "+" + now.meta().name() + "@" + now.meta().resourceVersion();
              case Change.Updated<CsiDriver>(CsiDriver before, CsiDriver now) ->
                  "~"
                      + now.meta().name()
                      + "@"
                      + before.meta().resourceVersion()
                      + ">"
                      + now.meta().resourceVersion();
              case Change.Deleted<CsiDriver>(CsiDriver last, boolean isFoundByList) ->
                  (isFoundByList ? "?-" : "-")
                      + last.meta().name()
                      + "@"
                      + last.meta().resourceVersion();
            }));
  }
}
