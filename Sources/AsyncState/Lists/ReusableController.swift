/// A controller that shows one model after another: the cell of a list, taken out of the list's controller.
public protocol ReusableController: ChildController {
  /// What one row is about.
  associatedtype Model

  /// Shows `model` from now on.
  func configure(with model: Model)

  /// The row is over: forget its model, and whatever is still on its way for it.
  func prepareForReuse()
}
