package dev.mooring.junit;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;

/** Reports the wanted size as reached. */
@ControllerConfiguration(name = "widgets")
final class WidgetReconciler implements Reconciler<Widget> {
  @Override
  public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
    if (widget.getStatus() != null && widget.getStatus().getSize() == widget.getSpec().getSize()) {
      return UpdateControl.noUpdate();
    }
    widget.setStatus(widget.getSpec());
    return UpdateControl.patchStatus(widget);
  }
}
