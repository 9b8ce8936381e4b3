"""Widgets: the same panel that stands still in a page, moved by controls.

Each module holds plain functions that turn a state into a `Panel` (which tests call, and which a notebook shows as it
is, for readers on GitHub and on paper), and one function that puts controls above it. Only `controls` imports
ipywidgets, and widgets import it when they are made.
"""
