package dev.mooring.junit;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The custom resource of {@code crds/widgets.yaml}. */
@Group("example.com")
@Version("v1")
public final class Widget extends CustomResource<Widget.WidgetSize, Widget.WidgetSize>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The wanted or reached size. */
  public static final class WidgetSize {
    private int size;

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }
  }

  static Widget ofSize(String name, int size) {
    Widget widget = new Widget();
    widget.getMetadata().setName(name);
    widget.setSpec(new WidgetSize());
    widget.getSpec().setSize(size);
    return widget;
  }
}
